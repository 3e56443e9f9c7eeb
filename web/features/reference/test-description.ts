import { type ApiDescription, apiDescription } from '#web/features/reference/api-description.ts';

/** A document with every form that the reference reads. */
export function testDescription(): ApiDescription {
  return apiDescription.parse({
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '1', description: 'Sends parcels.' },
    paths: {
      '/v1/parcels/{id}': {
        get: {
          operationId: 'findParcel',
          tags: ['Parcels'],
          summary: 'Find a parcel',
          parameters: [
            { name: 'id', in: 'path', required: true, example: 'a b', schema: { type: 'string', maxLength: 9 } },
            { name: 'full', in: 'query', schema: { type: 'boolean' } },
            { name: 'session', in: 'cookie', schema: { type: 'string' } },
          ],
          responses: {
            200: {
              description: 'It.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
            },
            404: { description: 'None.' },
          },
        },
      },
      '/v1/parcels': {
        post: {
          tags: ['Parcels'],
          summary: 'Send a parcel',
          parameters: [{ name: 'idempotency-key', in: 'header', required: true, example: 'k-1' }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
          responses: { 201: { description: 'Label.', content: { 'application/pdf': { schema: { type: 'string' } } } } },
          callbacks: {
            arrived: {
              '{$request.body#/tell}': {
                post: {
                  summary: 'The parcel arrived',
                  parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: { type: 'string' } }],
                  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } },
                  responses: { 204: { description: 'Noted.' } },
                },
              },
            },
            lost: { $ref: '#/components/callbacks/Lost' },
          },
        },
      },
      '/v1/places': { get: { tags: ['Places'], summary: 'Places we reach', responses: {} } },
    },
    webhooks: {
      'rate.changed': {
        post: {
          summary: 'Rates changed',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } },
          responses: { 200: { description: 'Noted.' }, default: { description: 'Sent again an hour later.' } },
        },
      },
      findParcel: { put: { responses: {} } },
    },
    components: {
      callbacks: { Lost: { '{$request.query.lost}': { put: { responses: {} } } } },
      schemas: {
        Event: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } },
        },
        Parcel: {
          type: 'object',
          required: ['to', 'items'],
          properties: {
            to: { $ref: '#/components/schemas/Place', description: 'Where it goes' },
            weight: { anyOf: [{ type: 'number', minimum: 0, maximum: 30 }, { type: 'null' }] },
            items: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Item' } },
            speed: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
          },
        },
        Place: { type: 'object', required: ['city'], properties: { city: { type: 'string', examples: ['Pune'] } } },
        Item: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 1 },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
            count: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
          },
        },
      },
    },
  });
}
