// The hash that the page's policy has: known answers (FIPS 180-4's examples, in base64), and lengths
// around a block's end.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "html/sha256.h"

static int failures;

static void
expect(const char *text, size_t length, const char *wanted)
{
	char got[SHA256_TEXT];

	if (strcmp(sha256_base64(got, text, length), wanted) == 0)
		return;
	printf("of %zu bytes: %s, not %s\n", length, got, wanted);
	failures++;
}

int
main(void)
{
	static char text[1000000];

	expect("", 0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
	expect("abc", 3, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
	expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		"JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
	memset(text, 'a', sizeof(text));
	expect(text, 55, "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg=");
	expect(text, 56, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o=");
	expect(text, 63, "fT50oF19sVvOStnsBljqmOPwbu7PFrTG//LaRX3cLzQ=");
	expect(text, 64, "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs=");
	expect(text, 119, "MeulHDE6XAgiat8Y1KNZz9/Y0ugWsT9K+VL36mWE3Ps=");
	expect(text, sizeof(text), "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
	return failures > 0;
}
