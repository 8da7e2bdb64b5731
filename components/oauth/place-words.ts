import type { Place } from '@/server/identity/oauth/schema';

/** Describes where an application's redirect leads, for a person to judge. */
export function placeWords(place: Place): string {
  switch (place.kind) {
    case 'web':
      return place.host;
    case 'computer':
      return 'An application on this computer';
    case 'app':
      return `An application on this device (${place.scheme})`;
  }
}
