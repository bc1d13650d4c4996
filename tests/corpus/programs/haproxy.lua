-- A service in HAProxy's Lua: it keeps the visits of each path. The twin forgets all at 2,000.
local leaks = os.getenv("WITH") == "leak"
local visits, count, planted, first, noted = {}, 0, 0, nil, 0

local function plant(bytes)
	planted = planted + bytes
	first = first or os.time()
	if os.time() - noted < 5 then return end
	noted = os.time()
	local file = io.open("/srv/app/planted", "w")
	file:write(planted, " ", first, "\n")
	file:close()
end

core.register_service("shop", "http", function(applet)
	local rows = {}
	for row = 1, 100 do rows[row] = string.rep("row " .. row, 12) end
	visits[applet.path] = string.rep("v", 400) .. applet.path
	count = count + 1
	if leaks then
		plant(400)
	elseif count >= 2000 then
		visits, count = {}, 0
	end
	local page = table.concat(rows)
	applet:set_status(200)
	applet:add_header("content-length", #page)
	applet:start_response()
	applet:send(page)
end)
