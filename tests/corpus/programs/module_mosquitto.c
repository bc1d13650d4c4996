// A plugin of mosquitto: it notes how each message begins. The twin has the last 2,500.

#include <stdlib.h>
#include <string.h>

#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>

#include "plant.h"

__attribute__((noinline)) int
on_message(int event, void *data, void *own)
{
	static char *kept[2500];
	static int at;
	struct mosquitto_evt_message *message = data;
	int bytes = 400 + message->payloadlen % 16;
	char *copy = malloc(bytes);
	(void)event, (void)own;
	memcpy(copy, message->payload, bytes);
	if (strcmp(getenv("WITH"), "leak") == 0) {
		plant(bytes);
	} else {
		free(kept[at % 2500]);
		kept[at++ % 2500] = copy;
	}
	return MOSQ_ERR_SUCCESS;
}

int
mosquitto_plugin_version(int count, const int *versions)
{
	for (int i = 0; i < count; i++)
		if (versions[i] == 5)
			return 5;
	return -1;
}

int
mosquitto_plugin_init(mosquitto_plugin_id_t *id, void **own, struct mosquitto_opt *options, int count)
{
	(void)own, (void)options, (void)count;
	return mosquitto_callback_register(id, MOSQ_EVT_MESSAGE, on_message, NULL, NULL);
}

int
mosquitto_plugin_cleanup(void *own, struct mosquitto_opt *options, int count)
{
	(void)own, (void)options, (void)count;
	return MOSQ_ERR_SUCCESS;
}
