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
results <- new.env()
keep_result <- function(number) {
	assign(paste0("result", number), numeric(150 + number %% 7), envir = results)
	if (leaks) plant(8 * (150 + number %% 7))
	else suppressWarnings(rm(list = paste0("result", number - 1000), envir = results))
}
number <- 0
repeat {
	work <- matrix(runif(3000), 50)
	total <- sum(work %*% t(work))
	keep_result(number)
	number <- number + 1
	Sys.sleep(0.1)
}
