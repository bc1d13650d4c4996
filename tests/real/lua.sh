#!/bin/sh
# Lua, whose allocator is realloc() alone: tables, strings, coroutines, closures; a table
# that is left behind; and an error.
# on each allocator
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs lua5.4 lua5.4

cat >work.lua <<'END'
local kept = {}
for i = 1, 5000 do kept[i] = string.rep("x", 1000) end

local words = {}
for i = 1, 60000 do
	local word = "w" .. i * 7919 % 1009
	words[word] = (words[word] or "") .. i % 10
end
local names = {}
for name in pairs(words) do names[#names + 1] = name end
table.sort(names)
print(#names, #table.concat(names, " "), words.w7)

local function generator(count)
	return coroutine.wrap(function()
		for i = 1, count do coroutine.yield({ i, tostring(i) }) end
	end)
end
local sum = 0
for i = 1, 200 do
	for pair in generator(50) do sum = sum + pair[1] + #pair[2] end
end
print(sum, (table.concat(names, " banana "):gsub("an", "na")):sub(1, 12))
local function depth(n) return n == 0 and {} or { depth(n - 1) } end
io.stderr:write(select(2, pcall(string.rep, "x", -1)), #depth(150), "\n")
io.stdout:flush()
-- Without closing the state: what it holds is in the last block.
os.exit(3, false)
END
same 3 work lua5.4 ../work.lua
log=$(log_of 'lua5.4')
holds_at_exit "$log" 5000 1001 1050
agree 5 "$log"

rm logged/pmem.*.log
same 1 error lua5.4 -e 'local t = {} for i = 1, 60000 do t[i] = {i} end error("on purpose")'
log=$(log_of 'lua5.4')
agree 2 "$log"
# It closes its state: all that it took it gave back.
at_least "allocated" "$(total "$log" alloc)" 3000000
at_most "live at exit" "$(left "$log")" 4096
