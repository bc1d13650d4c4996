-- Tables and strings that come and go. With an argument every tenth round's is kept.
local planted = #arg > 0
local kept = {}

for round = 1, planted and 24000 or 12000 do
	local words = {}
	for i = 1, round % 50 do
		words[i] = string.rep("x", i) .. round
	end
	local line = table.concat(words, ",")
	if planted and round % 10 == 0 then
		kept[#kept + 1] = string.rep("y", 500) .. round
	end
end
-- Without freeing all: what a log shows of that is told from a leak by --to.
os.exit()
