import { Avatar } from '@mantine/core';
import type { User } from '#shared/contract/account.ts';

/** The picture of a person, or the first letter of the name; the name itself stands beside it. */
export function UserPicture({ user, size = 32 }: { user: User | undefined; size?: number }) {
  return (
    <Avatar
      src={user?.picture || null}
      size={size}
      color="brand"
      variant="filled"
      alt=""
      imageProps={{ referrerPolicy: 'no-referrer' }}
    >
      {user?.name.slice(0, 1).toUpperCase()}
    </Avatar>
  );
}
