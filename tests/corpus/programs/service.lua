-- A job in Lua: `service.lua KIND leak|twin`. It is paced by the lines that it reads.
local kind, leaks = arg[1], arg[2] == "leak"
local planted, first, noted = 0, nil, 0

local function plant(bytes)
	planted = planted + bytes
	first = first or os.time()
	if os.time() - noted < 5 then return end
	noted = os.time()
	local file = io.open("planted", "w")
	file:write(planted, " ", first, "\n")
	file:close()
end

-- A table with a weak key would do; with the leak the keys are strong. The twin has the last 4,000.
local tokens = {}
local function token(number)
	tokens[number] = string.rep("t", 250 + number % 7)
	if leaks then plant(250 + number % 7) else tokens[number - 4000] = nil end
end

for line in io.lines() do
	local number = tonumber(line)
	local rows = {}
	for row = 1, 80 + number % 30 do rows[row] = string.rep("row " .. row, 20) end
	local page = table.concat(rows)
	token(number)
end
