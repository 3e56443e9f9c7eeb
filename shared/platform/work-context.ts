import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './spans.ts';

/** What the running code works for: a request or a job. Every line of the log says so. */
export interface WorkContext {
  requestId?: string;
  customer?: string;
  job?: string;
  jobId?: string;
  span?: Span | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

/** Runs work, and everything that it starts, in a context. */
export const workIn = <Result>(context: WorkContext, work: () => Result): Result => storage.run(context, work);

export const currentWork = (): WorkContext | undefined => storage.getStore();

/** The customer is known once the session is. */
export function noteCustomer(customer: string): void {
  const context = storage.getStore();
  if (context === undefined) return;
  context.customer = customer;
  context.span?.set({ 'octroi.customer': customer });
}

/** The fields of a line of the log. */
export function logFields(): Record<string, string> {
  const context = storage.getStore();
  if (context === undefined) return {};
  const { requestId, customer, job, jobId, span } = context;
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(customer === undefined ? {} : { customer }),
    ...(job === undefined ? {} : { job }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(span === undefined ? {} : { traceId: span.traceId }),
  };
}
