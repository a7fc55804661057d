-- A stand-in for Tabletop Simulator, in which test_recipes.py runs the recipe's script. Its
-- WebRequest hands each request to the server by curl.

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local json = require("dkjson")
JSON = {encode = json.encode, decode = function(text) return (json.decode(text)) end}

WebRequest = {}
function WebRequest.custom(url, method, download, data, headers, callback)
  assert(type(url) == "string" and type(data) == "string" and download == true)
  local command = {"curl", "--silent", "--max-time 20", "--request " .. method}
  for name, value in pairs(headers) do
    table.insert(command, "--header " .. quoted(name .. ": " .. value))
  end
  if method == "POST" then table.insert(command, "--data " .. quoted(data)) end
  table.insert(command, "--write-out '\\n%{http_code}' " .. quoted(url))
  local pipe = assert(io.popen(table.concat(command, " ")))
  local text, status = pipe:read("a"):match("^(.*)\n(%d+)$")
  pipe:close()
  status = tonumber(status)
  callback({is_error = status == 0, response_code = status, text = text, error = "no answer"})
end

Wait = {time = function(run, seconds) assert(seconds > 0) run() end}
function broadcastToAll(text) print(text) end

dofile(arg[1] .. "/tabletop_simulator.lua")
TOWER = {url = os.getenv("TOWER_URL"), id = os.getenv("TOWER_ID"), token = os.getenv("TOWER_TOKEN")}
onLoad()
local ann = {steam_name = "Ann"}
assert(onChat("hello", ann) == true)
assert(onChat("!strike", ann) == false)
-- Somebody else strikes meanwhile.
WebRequest.custom(
  TOWER.url .. "/api/v1/towers/" .. TOWER.id .. "/strikes", "POST", true,
  '{"side":"left","height":0.5,"strength":"gentle"}',
  {Authorization = "Bearer " .. TOWER.token, ["Content-Type"] = "application/json"},
  function(request) assert(request.response_code == 200, request.text) end
)
onChat("!strike right firm", ann)
onChat("!strike right firm", ann)
