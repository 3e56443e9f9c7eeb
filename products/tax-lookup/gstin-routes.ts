import { z } from 'zod';
import { parseGstin } from '#shared/domain/gstin.ts';
import { responsesOf, bodyFailures } from '#products/http/api-description.ts';
import { smallBodyBytes } from '#products/http/body-bounds.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { requireSampleGstin, requireSampleGstins } from '#products/sandbox/sample-gstins.ts';
import { isTestCall } from '#products/http/gateway-headers.ts';

const gstinText = z.string().max(64).describe('GSTIN or UIN, in any case and with spaces around it');
const example = '27ZZZCA0001A1Z4';
const batchExample = [example, '29ZZZCA0001A1Z5', '27ZZZPA0002B1ZA'];

const gstinResponse = z
  .object({
    gstin: z.string().describe('As checked: trimmed, in capital letters'),
    valid: z.boolean().describe('True when the number is well-formed; it may still not be issued or active'),
    kind: z
      .enum([
        'normal',
        'government',
        'non_resident',
        'online_service_abroad',
        'un_body_or_embassy',
        'tax_deductor',
        'tax_collector',
      ])
      .nullable(),
    state: z
      .object({ code: z.string(), name: z.string() })
      .nullable()
      .describe('From the first two digits; null when the number is not valid'),
    pan: z.string().nullable().describe('Null for kinds that are not based on a PAN'),
    holder: z
      .object({ letter: z.string().describe('Fourth letter of the PAN'), type: z.string().describe('Such as Company') })
      .nullable()
      .describe('The holder of the PAN, from its fourth letter'),
    checkCharacter: z.string().nullable().describe('The 15th character, as computed'),
    faults: z.array(
      z.object({
        code: z.enum(['length', 'characters', 'state', 'shape', 'pan', 'check_character']),
        message: z.string().describe('Human-readable'),
        positions: z.array(z.int()).optional().describe('Starting at 1'),
        expected: z.string().optional().describe('The expected value, such as the check character'),
      }),
    ),
  })
  .meta({ id: 'GstinResponse' });

/** The domain's findings about a GSTIN, in the API's format. */
function responseFor(text: string): z.output<typeof gstinResponse> {
  const parsed = parseGstin(text);
  if (parsed.valid) {
    const { gstin, kind, pan, holder, checkCharacter } = parsed;
    const state = { code: parsed.state.code, name: parsed.state.name };
    return { gstin, valid: true, kind, state, pan, holder, checkCharacter, faults: [] };
  }
  const nothing = { kind: null, state: null, pan: null, holder: null, checkCharacter: null };
  const faults = parsed.faults.map((fault) => ({
    code: fault.code,
    message: fault.message,
    ...('positions' in fault ? { positions: fault.positions } : {}),
    ...('position' in fault ? { positions: [fault.position] } : {}),
    ...('expected' in fault ? { expected: fault.expected } : {}),
  }));
  return { gstin: parsed.gstin, valid: false, ...nothing, faults };
}

const batchResponse = z
  .object({
    valid: z.int().describe('How many are valid'),
    invalid: z.int().describe('How many are invalid'),
    results: z.array(gstinResponse).describe('One for each number, in the order given'),
  })
  .meta({ id: 'GstinBatchResponse' });

function responseForAll(gstins: readonly string[]): z.output<typeof batchResponse> {
  const results = gstins.map(responseFor);
  const valid = results.filter((result) => result.valid).length;
  return { valid, invalid: results.length - valid, results };
}

/**
 * Checks of GSTINs, one or many. An invalid number is a successful response (200, `valid: false`), since that was the
 * question.
 */
export function gstinRoutes(server: ProductServer): void {
  server.route({
    method: 'GET',
    url: '/v1/gstin/:gstin',
    schema: {
      operationId: 'checkGstin',
      tags: ['GSTIN'],
      summary: 'Check a GSTIN',
      description:
        'Structure, State, PAN, kind of taxpayer and check character of a GSTIN or UIN. Any text gets a 200: one that cannot be a GSTIN has `valid: false` and its errors. Only the GST portal knows whether a number was issued or is active. Test keys check sample numbers only (404 for others).',
      params: z.object({ gstin: gstinText.meta({ examples: [example] }) }),
      response: responsesOf(gstinResponse, responseFor(example), { statuses: [404] }),
    },
    handler: (request) => {
      if (isTestCall(request)) requireSampleGstin(request.params.gstin);
      return responseFor(request.params.gstin);
    },
  });

  server.route({
    method: 'POST',
    url: '/v1/gstin/validate',
    bodyLimit: smallBodyBytes,
    schema: {
      operationId: 'checkGstins',
      tags: ['GSTIN'],
      summary: 'Check up to 100 GSTINs',
      description:
        'One result for each number, in the order given. The whole call counts as one request. Test keys check sample numbers only.',
      body: z
        .strictObject({ gstins: z.array(gstinText).min(1).max(100) })
        .meta({ examples: [{ gstins: batchExample }] }),
      response: responsesOf(batchResponse, responseForAll(batchExample), { statuses: bodyFailures }),
    },
    handler: (request) => {
      const { gstins } = request.body;
      if (isTestCall(request)) requireSampleGstins(gstins);
      return responseForAll(gstins);
    },
  });
}
