import { createHmac } from 'node:crypto';

function hmacHex(secret: string, message: string | Buffer): string {
  return createHmac('sha256', secret).update(message).digest('hex');
}

/** The signature that checkout passes to the browser: hex HMAC-SHA256 of `order_id|payment_id` with the key secret. */
export function checkoutSignature(keySecret: string, orderId: string, paymentId: string): string {
  return hmacHex(keySecret, `${orderId}|${paymentId}`);
}

/** `X-Razorpay-Signature`: hex HMAC-SHA256 of the raw body bytes with the webhook secret. */
export function webhookSignature(webhookSecret: string, body: string | Buffer): string {
  return hmacHex(webhookSecret, body);
}
