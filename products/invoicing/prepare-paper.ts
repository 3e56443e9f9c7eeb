import { validatorCompiler } from 'fastify-type-provider-zod';
import { boundedFirst, withinTextBounds } from '#shared/platform/text-bounds.ts';
import { type Fault, RequestFaults } from '#products/http/problem.ts';
import { faultsOfValidation } from '#products/http/request-faults.ts';
import { printedInvoice } from '#products/invoicing/invoice-paper.ts';
import { type PreparedPaper, unpreparedPaper } from '#products/invoicing/large-papers.ts';
import { paperRequest } from '#products/invoicing/paper-request.ts';

/** The server's own check of a body, so that the errors are the same. */
const validate = boundedFirst(validatorCompiler)({ schema: paperRequest, method: 'POST', url: '', httpPart: 'body' });

const textBounds = withinTextBounds(paperRequest);

function faultsOf(body: unknown): readonly Fault[] {
  const result = validate(body);
  const error = typeof result === 'object' && 'error' in result ? result.error : undefined;
  return Array.isArray(error) ? faultsOfValidation(error, 'body') : [];
}

/**
 * Checks a large request to print an invoice, computes the invoice and lays it out. 500 lines take tens of milliseconds,
 * in which a server could not serve anyone else; so this program runs in a render worker.
 */
export async function prepare(data: string): Promise<PreparedPaper> {
  const { body, today, specimen } = unpreparedPaper.parse(JSON.parse(data));
  const checked = textBounds.safeParse(body).success ? paperRequest.safeParse(body) : undefined;
  if (checked?.success !== true) return { faults: [...faultsOf(body)] };
  try {
    const paper = printedInvoice(checked.data, today, specimen);
    return {
      body: JSON.stringify(checked.data),
      paper: JSON.stringify(paper),
      number: checked.data.document.number,
    };
  } catch (error) {
    if (error instanceof RequestFaults) return { faults: [...error.faults] };
    throw error;
  }
}
