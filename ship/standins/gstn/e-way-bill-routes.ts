import type { FastifyInstance } from 'fastify';
import { eWayBill, eWayBillErrors } from '#ship/standins/gstn/e-way-bill-rules.ts';
import { refuse, signIn } from '#ship/standins/gstn/invoice-routes.ts';
import type { GstnParts } from '#ship/standins/gstn/parts.ts';
import { portalTime } from '#ship/standins/gstn/signed-texts.ts';

/** The e-way bill system, as a service provider exposes it. */
export function addEWayBillRoutes(app: FastifyInstance, parts: GstnParts): void {
  let count = 0;
  app.post('/ewb/ewayapi', async (request) => {
    const caller = signIn(request.headers);
    if ('code' in caller) return refuse([caller]);
    const parsed = eWayBill.safeParse(request.body);
    // A request of another form has no error code.
    if (!parsed.success)
      return { success: false, message: `Invalid request, ${parsed.error.issues[0]?.path.join('.')}` };
    const errors = eWayBillErrors(parsed.data, caller.gstin);
    if (errors.length > 0) return refuse(errors);
    count += 1;
    const result = { ewayBillNo: 391_000_000_000 + count, ewayBillDate: portalTime(parts.now()), alert: '' };
    return { success: true, message: 'E-Way Bill is generated successfully', result };
  });
}
