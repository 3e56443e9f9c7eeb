import { Report } from '#web/features/usage/report.tsx';

/** Use over time across the activations (D15). */
export function ReportingPage() {
  return <Report />;
}
