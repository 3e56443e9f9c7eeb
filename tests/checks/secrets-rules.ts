/** What no file of the repository may contain. */
const forbidden: { what: string; pattern: RegExp }[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'a live Razorpay key', pattern: /\brzp_live_(?!([A-Z])\1{13})[A-Za-z0-9]{14}\b/ },
  {
    what: 'a Razorpay test key that is not clearly fictional',
    pattern: /\brzp_test_(?!LOCAL|[A-Z]*0{6}|([A-Z])\1{13})[A-Za-z0-9]{14}\b/,
  },
  { what: 'a Google API key', pattern: /\bAIza[\w-]{35}\b/ },
  { what: 'a Google client secret', pattern: /\bGOCSPX-[\w-]{20,}/ },
  { what: 'an AWS key', pattern: /\bAKIA[0-9A-Z]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/ },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=/ },
  { what: 'a Slack token', pattern: /\bxox[abprs]-[\w-]{10,}/ },
  { what: 'a signed token', pattern: /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{80,}/ },
  {
    what: 'a password in an address',
    pattern: /\bpostgres(?:ql)?:\/\/[\w.-]+:(?!password@|\w*\[|\$)[^\s@'"`:/$]{12,}@/,
  },
  { what: 'the host of a package registry', pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|"resolved":/i },
  { what: 'a path on somebody’s machine', pattern: /(?<![\w.:/-])\/(?:work|root|home|Users)\/[\w.-]+/ },
];

/** One sentence for each line with something forbidden; the secret itself is not repeated. */
export function secretsIn(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      forbidden.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${path}:${index + 1} holds ${what}.`),
    );
}
