"""`python -m rocktower` is the same as `rocktower`."""

from rocktower.cli import main

main()
