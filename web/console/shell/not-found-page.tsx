import { Link } from 'react-router';
import { Page } from '#web/console/ui/page.tsx';

export function NotFoundPage() {
  return (
    <Page title="There is nothing at this address">
      <p className="soft">
        The link may be old or incomplete.{' '}
        <Link className="link" to="/">
          Open Today
        </Link>
      </p>
    </Page>
  );
}
