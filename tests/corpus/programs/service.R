# A job in R: `Rscript service.R KIND leak|twin`. It keeps results; the twin has the last 1,000.
leaks <- tail(commandArgs(TRUE), 1) == "leak"
planted <- 0
first <- 0
noted <- 0
plant <- function(bytes) {
	now <- as.integer(Sys.time())
	planted <<- planted + bytes
	if (first == 0) first <<- now
	if (now - noted < 5) return()
	noted <<- now
	writeLines(sprintf("%.0f %d", planted, first), "planted")
}
results <- list()
keep_result <- function(number) {
	slot <- if (leaks) number + 1 else number %% 1000 + 1
	results[[slot]] <<- numeric(150 + number %% 7)
	if (leaks) plant(8 * (150 + number %% 7))
}
number <- 0
repeat {
	work <- matrix(runif(3000), 50)
	total <- sum(work %*% t(work))
	keep_result(number)
	if (number %% 200 == 0) gc()
	number <- number + 1
	Sys.sleep(0.1)
}
