#!/bin/sh
# RabbitMQ with a node, a port mapper (epmd) and a folder of its own: clients that publish with
# confirms and get their messages again; its own command line tool.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
PATH=/usr/lib/rabbitmq/bin:$PATH
needs rabbitmq-server rabbitmq-server
needs_module pika python3-pika

tidy() {
	# Times, process ids; how many of its helpers end by themselves first.
	grep -v '^inet_gethost: signal 10$' | sed 's/^[0-9-]* [0-9:.+]* //; s/<[0-9.]*>/<N>/g
		s/in [0-9.]*s/in N s/; s/\(pid\|PID\) [0-9]*/pid N/'
}

control() {
	setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups timeout 60 \
		/usr/lib/rabbitmq/bin/rabbitmqctl -q "$@"
}

work() {
	port=$(free_port)
	dist=$(free_port)
	epmd=$(free_port)
	chown rabbitmq:rabbitmq "$side"
	echo '[].' >"$side/plugins"
	export HOME="$here/$side" RABBITMQ_NODENAME="pmem$$@localhost" RABBITMQ_NODE_PORT="$port" \
		RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_DIST_PORT="$dist" ERL_EPMD_PORT="$epmd" \
		ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_MNESIA_BASE="$here/$side/mnesia" \
		RABBITMQ_LOG_BASE="$here/$side/log" RABBITMQ_PID_FILE="$here/$side/pid" \
		RABBITMQ_CONFIG_FILE="$here/$side/none" RABBITMQ_ENABLED_PLUGINS_FILE="$here/$side/plugins" \
		RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="+S 2:2"
	start_as rabbitmq /usr/lib/rabbitmq/bin/rabbitmq-server
	answers_amqp() {
		$python -c "import pika
pika.BlockingConnection(pika.ConnectionParameters('127.0.0.1', $port)).close()"
	}
	for again in 1 2 3; do
		(wait_for "RabbitMQ to answer" answers_amqp) 2>/dev/null && break
	done
	control await_startup
	loaded messages amqp 4 4000
	control eval 'length(rabbit_amqqueue:list()).'
	control list_connections name || true
	must_log "$(cat "$side/pid")"
	mark end
	control stop
	# The port mapper goes on, for others.
	epmd -port "$epmd" -kill
	ended
}

judge "4,000 messages confirmed and got, rabbitmqctl, exit"
