-- For wrk: each connection calls after pauses of random length, MEAN_PAUSE_MS on average, with a random key of KEYS_FILE. Afterwards
-- it prints the number of responses by status.
local requests = {}
local mean = tonumber(os.getenv("MEAN_PAUSE_MS"))
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  math.randomseed(os.time())
  for key in io.lines(os.getenv("KEYS_FILE")) do
    requests[#requests + 1] = wrk.format("GET", nil, { ["X-API-Key"] = key })
  end
  ok = 0
  busy = 0
end

function request()
  return requests[math.random(#requests)]
end

function delay()
  return math.floor(-mean * math.log(1 - math.random()) + 0.5)
end

function response(status)
  if status == 200 then
    ok = ok + 1
  elseif status == 503 then
    busy = busy + 1
  end
end

function done()
  local sum = { ok = 0, busy = 0 }
  for _, thread in ipairs(threads) do
    sum.ok = sum.ok + thread:get("ok")
    sum.busy = sum.busy + thread:get("busy")
  end
  print("completed " .. sum.ok .. ", shed " .. sum.busy)
end
