# compile: makes programs of sources in $work/app; sourced by make. What has no compiler here is not made.

has() {
	command -v "$1" >/dev/null 2>&1
}

(
	cd "$work/app"
	gcc -O1 -g -fno-builtin -rdynamic -pthread -o server server.c
	gcc -O1 -c plant_rs.c
	! has g++ || g++ -std=c++17 -O1 -g -rdynamic -o service_cc service.cc
	! has rustc || rustc -O -g -C link-arg=plant_rs.o -C link-args=-rdynamic -o service_rs service.rs
	! has gfortran || gfortran -O1 -g -rdynamic -o service_f90 service.f90 plant_rs.o
	! has javac || javac -d . Service.java
	headers=$(ls -d /usr/include/postgresql/*/server 2>/dev/null | tail -n 1)
	for module in redis sqlite postgres mosquitto; do
		gcc -O1 -g -fno-builtin -shared -fPIC ${headers:+"-I$headers"} -o module_$module.so \
			module_$module.c || echo "no module_$module.so" >&2
	done
	gcc -O1 -g -fno-builtin -rdynamic -o httpd httpd.c -lmicrohttpd || echo "no httpd" >&2
	rm -f *.o
)
