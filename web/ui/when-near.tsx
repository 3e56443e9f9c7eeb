import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

/** So near to what is seen. */
const margin = '64px';

/** Draws its content, whose code may still have to come, once it is nearly in sight or about to be printed; until then `shape`. */
export function WhenNear({ shape, children }: { shape: ReactNode; children: ReactNode }) {
  const [isNear, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (isNear || element === null) return undefined;
    const show = () => setNear(true);
    const observer = new IntersectionObserver((entries) => entries.some((each) => each.isIntersecting) && show(), {
      rootMargin: margin,
    });
    observer.observe(element);
    window.addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', show);
    };
  }, [isNear]);
  return <div ref={place}>{isNear ? <Suspense fallback={shape}>{children}</Suspense> : shape}</div>;
}
