import { Report } from '#web/features/usage/report.tsx';

/** Use over time across the activations (product §2.21). */
export function ReportingPage() {
  return <Report />;
}
