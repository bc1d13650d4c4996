# A stream of numbers, summed up by jq: its state has a text for each. The twin's has the last 2,000.
foreach inputs as $number ({};
	(if env.WITH == "leak" then . else delpaths([["row \($number - 2000)"]]) end)
	| .["row \($number)"] = ("text \($number) " * 30);
	[range(200) | "row \(.) of \($number)"] | join(",") | length)
