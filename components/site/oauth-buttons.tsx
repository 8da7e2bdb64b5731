'use client';

import { type ReactNode, useState } from 'react';
import { beginSignIn } from '../shared/auth-client';
import { Button } from '../ui/button';
import { KeyRound } from '../ui/icons';
import type { SignInMethods } from './sign-in-card';

type Provider = 'github' | 'google' | 'oidc';

interface OAuthButtonsProps {
  methods: SignInMethods;
  callbackUrl: string;
}

export function OAuthButtons({ methods, callbackUrl }: OAuthButtonsProps) {
  const [going, setGoing] = useState<Provider | null>(null);

  async function go(provider: Provider) {
    setGoing(provider);
    try {
      const { url } = await beginSignIn(provider, { callbackUrl });
      window.location.href = url;
    } catch {
      setGoing(null);
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {methods.oidc !== null && (
        <Button
          size="lg"
          busy={going === 'oidc'}
          disabled={going !== null && going !== 'oidc'}
          onClick={() => go('oidc')}
        >
          <KeyRound aria-hidden />
          Continue with {methods.oidc}
        </Button>
      )}
      {methods.github && (
        <Button
          size="lg"
          busy={going === 'github'}
          disabled={going !== null && going !== 'github'}
          onClick={() => go('github')}
        >
          <Mark>
            <path
              fill="currentColor"
              d="M12 .7a11.5 11.5 0 0 0-3.64 22.4c.58.1.79-.25.79-.55v-2.1c-3.2.7-3.88-1.37-3.88-1.37-.52-1.33-1.28-1.69-1.28-1.69-1.05-.71.08-.7.08-.7 1.16.08 1.77 1.19 1.77 1.19 1.03 1.77 2.7 1.26 3.36.96.1-.75.4-1.26.73-1.55-2.55-.29-5.24-1.28-5.24-5.69 0-1.26.45-2.28 1.19-3.09-.12-.29-.52-1.46.11-3.05 0 0 .97-.31 3.17 1.18a11 11 0 0 1 5.77 0c2.2-1.49 3.16-1.18 3.16-1.18.63 1.59.24 2.76.12 3.05.74.81 1.18 1.83 1.18 3.09 0 4.42-2.69 5.39-5.25 5.68.41.36.78 1.06.78 2.14v3.17c0 .31.21.67.8.55A11.5 11.5 0 0 0 12 .7Z"
            />
          </Mark>
          Continue with GitHub
        </Button>
      )}
      {methods.google && (
        <Button
          size="lg"
          busy={going === 'google'}
          disabled={going !== null && going !== 'google'}
          onClick={() => go('google')}
        >
          <Mark>
            <path
              fill="#4285F4"
              d="M23 12.3c0-.8-.1-1.5-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.4v2.9h3.7c2.2-2 3.4-5 3.4-8.5Z"
            />
            <path
              fill="#34A853"
              d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.4 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3A11.5 11.5 0 0 0 12 23.5Z"
            />
            <path fill="#FBBC05" d="M5.6 14.2a6.9 6.9 0 0 1 0-4.4v-3H1.8a11.5 11.5 0 0 0 0 10.4l3.8-3Z" />
            <path
              fill="#EA4335"
              d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.5 11.5 0 0 0 1.8 6.8l3.8 3c.9-2.7 3.4-4.7 6.4-4.7Z"
            />
          </Mark>
          Continue with Google
        </Button>
      )}
    </div>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}
