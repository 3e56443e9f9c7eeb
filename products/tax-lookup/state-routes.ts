import { z } from 'zod';
import { states } from '#shared/domain/states.ts';
import { responsesOf } from '#products/http/api-description.ts';
import type { ProductServer } from '#products/http/product-server.ts';

const stateResponse = z
  .object({
    code: z.string(),
    name: z.string(),
    utgst: z.boolean().describe('Supplies inside it bear UTGST instead of SGST'),
    gstinPrefix: z.boolean().describe('Registrations begin with this code'),
    placeOfSupply: z.boolean().describe('May be the place of supply on an invoice today'),
    discontinued: z.boolean(),
    successor: z.string().nullable().describe('The code it was merged into'),
  })
  .meta({ id: 'State' });

const statesResponse = z.object({ states: z.array(stateResponse) }).meta({ id: 'StatesResponse' });

const allStates: z.output<typeof statesResponse> = {
  states: states.map(({ code, name, utgst, usedAs, discontinued }) => ({
    code,
    name,
    utgst,
    gstinPrefix: usedAs.gstin,
    placeOfSupply: usedAs.placeOfSupply,
    discontinued: discontinued !== null,
    successor: discontinued?.successor ?? null,
  })),
};

/** The list of state codes. */
export function stateRoutes(server: ProductServer): void {
  server.route({
    method: 'GET',
    url: '/v1/states',
    schema: {
      operationId: 'listStates',
      tags: ['States'],
      summary: 'All state codes of GST',
      description:
        'Every code, including discontinued ones: what each is used for, whether UTGST replaces SGST, and which code succeeded it.',
      response: responsesOf(statesResponse, { states: allStates.states.slice(0, 2) }),
    },
    handler: () => allStates,
  });
}
