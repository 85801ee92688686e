-- Sends what wrk's flags cannot say (any requests, of any bytes, pipelined) and prints what it measured as
-- one line of JSON, since its own report is rounded. Arguments: REQUESTS_FILE THREADS PIPELINING EXPECTED
-- SLICES. The file holds the bytes of each request behind their length in ten digits. EXPECTED is the only
-- right status, or "2xx". SLICES is "always", or when this process sends, as "START LENGTH CYCLE OPEN FIRST
-- SECOND" in milliseconds: from START on the monotonic clock for LENGTH, for OPEN after FIRST and after
-- SECOND in each cycle. wrk starts a request's clock after its delay.

local ffi = require("ffi")
ffi.cdef[[
  typedef struct { long seconds; long nanoseconds; } timespec;
  int clock_gettime(int clock, timespec *now);
  int getpid(void);
  int kill(int pid, int signal);
]]
local CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, SIGINT = 1, 2, 2
local time = ffi.new("timespec")

local function milliseconds(clock)
  ffi.C.clock_gettime(clock, time)
  return tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
end

local function alternate(start, length, cycle, open, first, second)
  function delay()
    local now = milliseconds(CLOCK_MONOTONIC) - start
    -- wrk's own duration is in whole seconds; on this signal it ends early, with its report.
    if now >= length then
      ffi.C.kill(ffi.C.getpid(), SIGINT)
      return cycle
    end
    local into = math.max(now, 0) % cycle
    local early = math.max(-now, 0)
    if into < first then return math.ceil(early + first - into) end
    if into < first + open then return math.ceil(early) end
    if into < second then return math.ceil(second - into) end
    if into < second + open then return 0 end
    return math.ceil(cycle + first - into)
  end
end

-- Each thread has Lua of its own.
local threads = {}

function setup(thread)
  thread:set("place", #threads)
  threads[#threads + 1] = thread
end

local DIGITS = 10

-- In order, from the first again after the last. Of several threads, each sends its part.
local function requestsOf(bytes, first, step)
  local requests, at = {}, 1
  while at <= #bytes do
    local from = at + DIGITS
    at = from + tonumber(bytes:sub(at, from - 1))
    requests[#requests + 1] = bytes:sub(from, at - 1)
  end
  local next = first % #requests
  return #requests, function()
    local taken = requests[next + 1]
    next = (next + step) % #requests
    return taken
  end
end

function init(args)
  if args[4] ~= "2xx" then
    local expected = tonumber(args[4])
    unexpected = 0
    -- Set here only: handing an answer to Lua takes wrk 1.5 us. By itself it counts each status above 399.
    response = function(status)
      if status ~= expected then unexpected = unexpected + 1 end
    end
  end
  if args[5] ~= "always" then
    local times = {}
    for time in args[5]:gmatch("%S+") do times[#times + 1] = tonumber(time) end
    alternate(unpack(times))
  end
  local file = io.open(args[1], "rb")
  local threads, depth = tonumber(args[2]), tonumber(args[3])
  -- Before the load, wrk asks the first thread for requests that it only counts.
  local first = place == 0 and -depth * threads or place
  local count, take = requestsOf(file:read("*a"), first, threads)
  file:close()
  local function batch()
    local requests = {}
    for i = 1, depth do requests[i] = take() end
    return table.concat(requests)
  end
  if count > 1 then
    request = depth > 1 and batch or take
  else
    local only = batch()
    wrk.format = function() return only end
    -- Set here only: a request hook costs wrk time for every request.
    if depth > 1 then request = wrk.format end
  end
end

-- Latencies at ranks in hundredths of a percent: every half percent, and finer in the tail. Walking all
-- values can take seconds of CPU, since wrk looks each up from the start.
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
  local errors, cpu = summary.errors, milliseconds(CLOCK_PROCESS_CPUTIME_ID)
  local non2xx = threads[1]:get("unexpected") and 0 or errors.status
  for _, thread in ipairs(threads) do non2xx = non2xx + (thread:get("unexpected") or 0) end
  io.write(string.format(
    '{"durationUs":%.0f,"clientMs":%.3f,"requests":%.0f,"bytes":%.0f,'
      .. '"errors":{"timeouts":%.0f,"connect":%.0f,"read":%.0f,"write":%.0f,"non2xx":%.0f},'
      .. '"latencyUs":{"min":%.0f,"max":%.0f,"avg":%.17g,"stdev":%.17g,"ranks":[%s]}}\n',
    summary.duration, cpu, summary.requests, summary.bytes,
    errors.timeout, errors.connect, errors.read, errors.write, non2xx,
    latency.min, latency.max, latency.mean, latency.stdev, ranked(latency)
  ))
end
