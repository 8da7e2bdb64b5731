import { GatewayError } from '../../core/errors/gateway-error';

/** No such team, or none of the asker's: the two are not told apart. */
export function noSuchTeam(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'You are in no team of this name.',
    hint: 'Your teams are listed in the dashboard under Team.',
  });
}

export function noSuchMember(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This person is not in the team.',
    hint: 'Reload the page to see who is.',
  });
}

/** What was written in one field cannot be taken. */
export function wrongField(path: string, message: string, hint: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message, hint, details: { fields: [{ path, message }] } });
}

/** It could be done, by somebody else or at another time; the hint says by whom or when. */
export function refused(message: string, hint: string): GatewayError {
  return new GatewayError('FORBIDDEN', { message, hint });
}

/** A person whose account the operator has stopped gains nothing by teams. */
export function refuseFrozen({ accountFrozen }: { accountFrozen: boolean }): void {
  if (accountFrozen) throw refused('Your account is frozen.', 'Ask the operator of this gateway.');
}
