-- Strike a tower of `rocktower serve` from Tabletop Simulator. Paste this into the Global script.
-- Its requests are sent from the host's computer only, so the token stays with the host.

TOWER = {
  url = "https://tower.example.org",
  id = "the tower's id",
  token = "the player token",
}
WAITS = {0.5, 1, 3} -- seconds before the second, third and fourth try

known = 0 -- events of the tower that the table knows of
blows = 0
is_striking = false

-- Chat commands: "!strike left", "!strike right firm".
function onChat(message, player)
  local words = {}
  for word in message:gmatch("%S+") do table.insert(words, word) end
  if words[1] ~= "!strike" then return true end
  local side, strength = words[2] or "left", words[3] or "normal"
  strike(player.steam_name, {side = side, height = 0.55, strength = strength})
  return false
end

-- One blow at a time. Its key names it: when the answer gets lost, the same request is sent again
-- with the same key, and the server answers with the same hit.
function strike(who, aim)
  if is_striking then
    broadcastToAll("The last blow is still on its way.")
    return
  end
  is_striking = true
  blows = blows + 1
  aim.expected_n = known
  local key = string.format("tts-%d-%d-%d", os.time(), math.random(1, 1000000000), blows)
  post(JSON.encode(aim), key, 1, function(status, answer)
    is_striking = false
    if status == 200 then
      known = answer.n
      broadcastToAll(who .. " strikes: " .. fell(answer))
    elseif status == 409 and answer.error.code == "conflict" then
      -- Somebody struck elsewhere, on the page or in a second script: nothing was struck here.
      broadcastToAll(answer.error.message .. ". Look, and strike again if you still want to.")
      catch_up()
    else
      broadcastToAll(answer and answer.error.message or "The tower cannot be reached.")
    end
  end)
end

function fell(hit)
  return hit.total == 0 and "an empty hit" or table.concat(hit.boulders, ", ")
end

-- Tell what happened meanwhile; it may also be a blow of this table whose answer got lost.
function catch_up()
  send("GET", "/events?after=" .. known, nil, {}, function(request)
    if request.is_error or request.response_code ~= 200 then return end
    for _, event in ipairs(JSON.decode(request.text).events) do
      known = event.n
      if event.type == "hit" then broadcastToAll("Meanwhile: " .. fell(event)) end
    end
  end)
end

function post(body, key, attempt, done)
  local headers = {["Content-Type"] = "application/json", ["Idempotency-Key"] = key}
  send("POST", "/strikes", body, headers, function(request)
    local status = request.response_code
    local is_lost = request.is_error or status == 0 or status >= 500 or status == 429
    if is_lost and WAITS[attempt] then
      Wait.time(function() post(body, key, attempt + 1, done) end, WAITS[attempt])
    elseif is_lost then
      done(0, nil)
    else
      done(status, JSON.decode(request.text))
    end
  end)
end

function send(method, path, body, headers, callback)
  headers.Authorization = "Bearer " .. TOWER.token
  headers.Accept = "application/json"
  local url = TOWER.url .. "/api/v1/towers/" .. TOWER.id .. path
  WebRequest.custom(url, method, true, body or "", headers, callback)
end

function onLoad()
  math.randomseed(os.time())
  send("GET", "", nil, {}, function(request)
    if request.response_code == 200 then known = JSON.decode(request.text).n end
  end)
end
