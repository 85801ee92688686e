-- Sets what wrk's flags cannot (method, body, pipelining) and prints the percentiles its report leaves out.
-- Arguments: METHOD PIPELINING [BODY]

local pipelined

function init(args)
  wrk.method = args[1]
  wrk.body = args[3]
  local depth = tonumber(args[2])
  if depth > 1 then
    pipelined = string.rep(wrk.format(), depth)
    -- Set here only: a request hook costs wrk time for every request.
    request = function() return pipelined end
  end
end

function done(summary, latency, requests)
  local names = { "p2_5", "p95", "p97_5", "p99_9" }
  local shares = { 2.5, 95, 97.5, 99.9 }
  for i, name in ipairs(names) do
    io.write(string.format("Percentile %s %dus\n", name, latency:percentile(shares[i])))
  end
end
