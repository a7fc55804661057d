"""Is the physics right? The tower's own engine beside granular physics and a second engine.

Each study answers one question with checks, tables and figures; `STUDIES` lists them in the
order of their weight.
"""

from rocktower.validation._registry import STUDIES, find_studies
from rocktower.validation._study import Check, Findings, Lab, Study

__all__ = ["STUDIES", "Check", "Findings", "Lab", "Study", "find_studies"]
