-- Sets what wrk's flags cannot (method, headers and body of any bytes, pipelining) and prints what it measured as one line of JSON,
-- since its own report is rounded. Arguments: METHOD PIPELINING HEADERS_FILE [BODY_FILE]; a header takes two lines, its name and its value.

function init(args)
  wrk.method = args[1]
  local headers = io.open(args[3], "rb")
  for name in headers:lines() do
    wrk.headers[name] = headers:read("*l")
  end
  headers:close()
  if args[4] then
    local body = io.open(args[4], "rb")
    wrk.body = body:read("*a")
    body:close()
  end
  local depth = tonumber(args[2])
  if depth > 1 then
    local pipelined = string.rep(wrk.format(), depth)
    -- Set here only: a request hook costs wrk time for every request.
    request = function() return pipelined end
  end
end

-- Latencies at ranks in hundredths of a percent: every half percent, and finer in the tail. Walking all values can take seconds
-- of CPU, since wrk looks each up from the start.
local function ranked(latency)
  local pairs = {}
  local function ask(first, last, step)
    for rank = first, last, step do
      pairs[#pairs + 1] = string.format("[%d,%.0f]", rank, latency:percentile(rank / 100))
    end
  end
  ask(50, 9900, 50)
  ask(9905, 9990, 5)
  ask(9991, 9999, 1)
  pairs[#pairs + 1] = string.format("[10000,%.0f]", latency.max)
  return table.concat(pairs, ",")
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"durationUs":%.0f,"requests":%.0f,"bytes":%.0f,'
      .. '"errors":{"timeouts":%.0f,"connect":%.0f,"read":%.0f,"write":%.0f,"non2xx":%.0f},'
      .. '"latencyUs":{"min":%.0f,"max":%.0f,"avg":%.17g,"stdev":%.17g,"ranks":[%s]}}\n',
    summary.duration, summary.requests, summary.bytes,
    errors.timeout, errors.connect, errors.read, errors.write, errors.status,
    latency.min, latency.max, latency.mean, latency.stdev, ranked(latency)
  ))
end
