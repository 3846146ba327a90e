module routes

go 1.21
