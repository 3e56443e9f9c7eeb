import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorsOf, inv01, type PortalError } from '#ship/standins/gstn/invoice-rules.ts';
import type { GstnParts } from '#ship/standins/gstn/parts.ts';
import { simulateFailure } from '#ship/standins/gstn/provider-routes.ts';
import type { Registration } from '#ship/standins/gstn/registry.ts';
import { irnOf, portalTime, signTexts } from '#ship/standins/gstn/signed-texts.ts';
import { masterOf, taxpayers } from '#ship/standins/gstn/taxpayers.ts';

const dayMs = 86_400_000;
const cancelBody = z.looseObject({
  Irn: z.string().regex(/^[0-9a-f]{64}$/),
  CnlRsn: z.enum(['1', '2', '3', '4']),
  CnlRem: z.string().max(100),
});

export const refuse = (errors: readonly PortalError[]) => ({
  success: false,
  message: errors.map(({ code, message }) => `${code} : ${message}`).join(', '),
});

function detailsOf(found: Registration) {
  return {
    AckNo: found.ackNumber,
    AckDt: portalTime(found.at),
    Irn: found.irn,
    SignedInvoice: found.signedInvoice,
    SignedQRCode: found.signedQrCode,
    Status: found.cancelledAt === null ? 'ACT' : 'CNL',
    EwbNo: null,
    EwbDt: null,
    EwbValidTill: null,
    Remarks: null,
  };
}

/** The caller, or the reason for a refusal. The taxpayer's own login: any user name with any password but `wrong`. */
export function signIn({
  gstin,
  user_name,
  password,
}: NodeJS.Dict<string | string[]>): { gstin: string } | PortalError {
  if (typeof gstin !== 'string' || gstin === '') return { code: '1004', message: 'Header GSTIN is required' };
  if (!taxpayers.has(gstin)) return { code: '3028', message: `GSTIN ${gstin} is invalid` };
  const valid = typeof user_name === 'string' && user_name !== '' && typeof password === 'string' && password !== '';
  return valid && password !== 'wrong' ? { gstin } : { code: '1008', message: 'Invalid login credentials' };
}

/** The invoice registration portal, as a service provider exposes it. */
export function addInvoiceRoutes(
  app: FastifyInstance,
  parts: GstnParts,
  isKnown: (authorization: string) => boolean,
): void {
  const { registry } = parts;

  app.addHook('preHandler', async (request, reply) => {
    if (!/^\/(?:ei\/api|ewb)\//.test(request.url)) return undefined;
    if (isKnown(request.headers.authorization ?? '')) return undefined;
    return reply.code(401).send({ error: 'invalid_token' });
  });

  app.post('/ei/api/invoice', async (request, reply) => {
    const how = parts.behaviour.get().register;
    if (how === 'elsewhere')
      return refuse([
        { code: '2295', message: 'IRN is already generated and registered with GSTN Lookup Portal by other IRP' },
      ]);
    if (how !== 'timeout-after-register' && (await simulateFailure(parts, how, reply))) return reply;
    const caller = signIn(request.headers);
    if ('code' in caller) return refuse([caller]);
    const parsed = inv01.safeParse(request.body);
    if (!parsed.success) {
      const where = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
      return refuse([{ code: '2140', message: `Schema error - ${where.slice(0, 5).join('; ').replaceAll(',', ' ')}` }]);
    }
    const irn = irnOf(parsed.data);
    const before = registry.find(irn);
    if (before !== undefined) {
      const Desc = { AckNo: before.ackNumber, AckDt: portalTime(before.at), Irn: irn };
      return { ...refuse([{ code: '2150', message: 'Duplicate IRN' }]), result: [{ InfCd: 'DUPIRN', Desc }] };
    }
    const errors = errorsOf(parsed.data, caller.gstin);
    if (errors.length > 0) return refuse(errors);
    const at = parts.now();
    const ackNumber = registry.nextAckNumber();
    const texts = await signTexts(parsed.data, irn, ackNumber, at, parts.keys);
    // Another call may have registered the same document while this one was being signed.
    if (registry.find(irn) === undefined) {
      registry.add({ irn, supplierGstin: caller.gstin, ackNumber, at, document: parsed.data, ...texts });
    }
    if (how === 'timeout-after-register') await parts.wait(parts.behaviour.get().slowMs);
    const found = registry.find(irn);
    return { success: true, message: 'IRN generated successfully', result: found && detailsOf(found) };
  });

  app.post('/ei/api/invoice/cancel', async (request) => {
    const caller = signIn(request.headers);
    if ('code' in caller) return refuse([caller]);
    const parsed = cancelBody.safeParse(request.body);
    if (!parsed.success) return refuse([{ code: '2140', message: 'Schema error' }]);
    const found = registry.find(parsed.data.Irn);
    if (found === undefined || found.supplierGstin !== caller.gstin) {
      return refuse([{ code: '2148', message: 'Requested IRN data is not available' }]);
    }
    if (found.cancelledAt !== null) return refuse([{ code: '9999', message: 'Invoice is not active' }]);
    if (parts.now() - found.at > dayMs) {
      return refuse([{ code: '2230', message: 'This IRN cannot be cancelled since the permitted time is over' }]);
    }
    registry.cancel(found.irn, parts.now(), parsed.data.CnlRsn);
    const result = { Irn: found.irn, CancelDate: portalTime(parts.now()) };
    return { success: true, message: 'E-Invoice is cancelled successfully', result };
  });

  const synchronised = new Set<string>();
  for (const path of ['/ei/api/master/gstin', '/ei/api/master/syncgstin']) {
    app.get(path, async (request, reply) => {
      const how = parts.behaviour.get().master;
      if (how !== 'stale' && (await simulateFailure(parts, how, reply))) return reply;
      const caller = signIn(request.headers);
      if ('code' in caller) return refuse([caller]);
      const { gstin = '' } = z.looseObject({ gstin: z.string().optional() }).parse(request.query);
      if (path.endsWith('syncgstin')) synchronised.add(gstin);
      const found = taxpayers.get(gstin);
      if (found === undefined) return refuse([{ code: '3028', message: 'GSTIN is invalid' }]);
      if (how === 'stale' && !synchronised.has(gstin)) {
        return refuse([{ code: '3001', message: 'Requested data is not available' }]);
      }
      return { success: true, message: 'GSTIN details are fetched successfully', result: masterOf(found) };
    });
  }

  app.get('/ei/api/invoice/irn', async (request, reply) => {
    if (await simulateFailure(parts, parts.behaviour.get().search, reply)) return reply;
    const caller = signIn(request.headers);
    if ('code' in caller) return refuse([caller]);
    const { irn = '' } = z.looseObject({ irn: z.string().optional() }).parse(request.query);
    const found = registry.find(irn);
    if (found === undefined || found.supplierGstin !== caller.gstin) {
      return refuse([{ code: '2154', message: 'IRN details are not found' }]);
    }
    if (parts.now() - found.at > 2 * dayMs) {
      return refuse([
        { code: '2283', message: 'IRN details cannot be provided as it is generated more than 2 days ago' },
      ]);
    }
    return { success: true, message: 'E-Invoice details are fetched successfully', result: detailsOf(found) };
  });
}
