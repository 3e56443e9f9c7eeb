-- For wrk: each call uses a random key of KEYS_FILE.
local requests = {}

function init()
  math.randomseed(os.time())
  for key in io.lines(os.getenv("KEYS_FILE")) do
    requests[#requests + 1] = wrk.format("GET", nil, { ["X-API-Key"] = key })
  end
end

function request()
  return requests[math.random(#requests)]
end
