import { z } from 'zod';

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

/** The address of something on this machine; the stand-ins connect to nothing else. */
const loopbackUrl = z.url().refine((value) => isLoopbackHost(new URL(value).hostname), {
  message: 'must be an address on this machine (localhost or 127.0.0.1)',
});

const environmentSchema = z.object({
  DATA_DIR: z.string().min(1).default('./data'),
  STANDIN_GOOGLE_PORT: port(4301),
  STANDIN_RAZORPAY_PORT: port(4302),
  /** Without a port, the stand-in for the GST systems is off. */
  STANDIN_GSTN_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Where browsers reach the stand-in for Google, if a proxy with TLS is in front of it. */
  STANDIN_GOOGLE_URL: loopbackUrl.optional(),
  /** The supplier is known to it as a taxpayer. */
  SUPPLIER_GSTIN: z.string().optional(),
  SUPPLIER_NAME: z.string().optional(),
  /** A mail server and an S3-compatible store, for `octroi rehearse`; off without their ports. */
  STANDIN_MAIL_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  STANDIN_MAIL_PASSWORD: z.string().min(8).default('mail_sandbox_secret_0000'),
  STANDIN_S3_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  BACKUP_S3_KEY_ID: z.string().min(1).default('octroi-local-store'),
  BACKUP_S3_SECRET: z.string().min(1).default('store_sandbox_secret_0000'),
  GOOGLE_CLIENT_ID: z.string().min(1).default('octroi-local.apps.googleusercontent.com'),
  GOOGLE_ISSUER: z.string().min(1).default('https://accounts.google.com'),
  RAZORPAY_KEY_ID: z
    .string()
    .regex(/^rzp_(?:test|rehearsal)_[A-Za-z0-9]{14}$/, 'must be a test key: rzp_test_ and 14 letters or digits')
    .default('rzp_test_LOCAL000000001'),
  RAZORPAY_KEY_SECRET: z.string().min(1).default('rzp_sandbox_secret_0000'),
  GSP_CLIENT_ID: z.string().min(1).default('octroi-local-gsp'),
  GSP_CLIENT_SECRET: z.string().min(1).default('gsp_sandbox_secret_0000'),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1).default('whsec_local_1'),
  RAZORPAY_WEBHOOK_URL: loopbackUrl.default('http://localhost:4000/backend/webhooks/razorpay'),
});

export type StandinsConfig = {
  /** Folder of keys, added accounts and the payment journal. */
  dataDir: string;
  google: { port: number; clientId: string; issuer: string; publicUrl?: string | undefined };
  gstn: {
    port: number;
    clientId: string;
    clientSecret: string;
    supplier?: { gstin: string; name: string } | undefined;
  } | null;
  razorpay: { port: number; keyId: string; keySecret: string; webhookSecret: string; webhookUrl: string };
  mail?: { port: number; user: string; password: string } | undefined;
  s3?: { port: number; keyId: string; secret: string; region: string; bucket: string } | undefined;
};

/** True for names and addresses of the local machine. */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname.toLowerCase());
}

/** Stand-ins sign tokens and payments that nobody made, so they never run when `NODE_ENV` is production. */
export function refuseProduction(environment: NodeJS.ProcessEnv = process.env): void {
  const value = environment['NODE_ENV'] || 'development';
  if (value === 'production') {
    throw new Error('The Google and Razorpay stand-ins do not start when NODE_ENV is production.');
  }
  if (!['development', 'test'].includes(value)) {
    throw new Error(`NODE_ENV must be one of: development, test, production; it is "${value}".`);
  }
}

/** Reads the environment; throws one Error that lists all errors at once. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): StandinsConfig {
  refuseProduction(environment);
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The stand-ins cannot start:\n${faults.join('\n')}`);
  }
  const value = parsed.data;
  return {
    dataDir: value.DATA_DIR,
    google: {
      port: value.STANDIN_GOOGLE_PORT,
      clientId: value.GOOGLE_CLIENT_ID,
      issuer: value.GOOGLE_ISSUER,
      publicUrl: value.STANDIN_GOOGLE_URL,
    },
    mail:
      value.STANDIN_MAIL_PORT === undefined
        ? undefined
        : { port: value.STANDIN_MAIL_PORT, user: 'rehearsal', password: value.STANDIN_MAIL_PASSWORD },
    s3:
      value.STANDIN_S3_PORT === undefined
        ? undefined
        : {
            port: value.STANDIN_S3_PORT,
            keyId: value.BACKUP_S3_KEY_ID,
            secret: value.BACKUP_S3_SECRET,
            region: 'us-east-1',
            bucket: 'rehearsal',
          },
    gstn:
      value.STANDIN_GSTN_PORT === undefined
        ? null
        : {
            port: value.STANDIN_GSTN_PORT,
            clientId: value.GSP_CLIENT_ID,
            clientSecret: value.GSP_CLIENT_SECRET,
            supplier:
              value.SUPPLIER_GSTIN === undefined
                ? undefined
                : { gstin: value.SUPPLIER_GSTIN, name: value.SUPPLIER_NAME ?? value.SUPPLIER_GSTIN },
          },
    razorpay: {
      port: value.STANDIN_RAZORPAY_PORT,
      keyId: value.RAZORPAY_KEY_ID,
      keySecret: value.RAZORPAY_KEY_SECRET,
      webhookSecret: value.RAZORPAY_WEBHOOK_SECRET,
      webhookUrl: value.RAZORPAY_WEBHOOK_URL,
    },
  };
}
