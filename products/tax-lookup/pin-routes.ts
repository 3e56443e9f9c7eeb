import { z } from 'zod';
import { isPin, statesOfPin } from '#shared/domain/pin-states.ts';
import type { State } from '#shared/domain/states.ts';
import { responsesOf } from '#products/http/api-description.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { statesOfSamplePin } from '#products/sandbox/sample-pins.ts';
import { isTestCall } from '#products/http/gateway-headers.ts';

const pinResponse = z
  .object({
    pin: z.string(),
    known: z.boolean().describe('False: this PIN is not in our data. New ones appear every year, so do not reject it.'),
    states: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .describe('Usually one; two when the PIN serves places across a border: ask which'),
  })
  .meta({ id: 'PinResponse' });

function responseFor(pin: string, found: readonly State[] = statesOfPin(pin)): z.output<typeof pinResponse> {
  const states = found.map(({ code, name }) => ({ code, name }));
  return { pin, known: states.length > 0, states };
}

const pinText = z
  .string()
  .refine(isPin, 'A PIN has six digits and does not begin with 0.')
  .describe('Postal Index Number, six digits')
  .meta({ pattern: '^[1-9][0-9]{5}$', examples: ['533464'] });

/** The State of a PIN. */
export function pinRoutes(server: ProductServer): void {
  server.route({
    method: 'GET',
    url: '/v1/pin/:pin',
    schema: {
      operationId: 'findPin',
      tags: ['States'],
      summary: 'The State of a PIN',
      description:
        'The State or States that an Indian PIN serves. An unknown PIN gets a 200 with `known: false`, since the address may still be correct.',
      params: z.object({ pin: pinText }),
      response: responsesOf(pinResponse, responseFor('533464')),
    },
    handler: (request) => {
      const { pin } = request.params;
      return isTestCall(request) ? responseFor(pin, statesOfSamplePin(pin)) : responseFor(pin);
    },
  });
}
