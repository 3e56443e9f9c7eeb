import { generateIdentity, identityToRecipient } from 'age-encryption';

/** Prints a new key pair in the format of `age-keygen`. */
export async function createKey(): Promise<void> {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  process.stdout.write(`# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`);
}
