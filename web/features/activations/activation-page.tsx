export function ActivationPage() {
  return null;
}
