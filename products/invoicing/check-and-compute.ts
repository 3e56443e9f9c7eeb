import type { Day } from '#shared/domain/day.ts';
import { RequestFaults } from '#products/http/problem.ts';
import { checkInvoice } from '#products/invoicing/check-invoice.ts';
import { computeInvoice } from '#products/invoicing/compute-invoice.ts';
import type { InvoiceResponse } from '#products/invoicing/invoice-response.ts';
import type { InvoiceRequest } from '#products/invoicing/invoice-request.ts';

/** Computes a request as of a day in India, or throws RequestFaults with all its errors. */
export function checkAndCompute(request: InvoiceRequest, today: Day): InvoiceResponse {
  const checked = checkInvoice(request, today);
  if (!checked.ok) throw new RequestFaults(checked.faults);
  return computeInvoice(request, checked.decision);
}
