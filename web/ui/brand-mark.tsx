/** The mark of the portal: a ledger line between brackets. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="7" fill="var(--p-accent)" />
      <path
        d="M9.6 7H7.2v12h2.4M16.4 7h2.4v12h-2.4M11 11.2h4M11 14.8h4"
        fill="none"
        stroke="#fff"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
