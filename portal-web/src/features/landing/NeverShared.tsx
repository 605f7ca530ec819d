import { IconX } from '@tabler/icons-react';
import classes from './landing.module.css';

const never = [
  'The vehicle identification number',
  'The real order number',
  'Account, contact and address data',
  'Financing and payment data',
  'Vehicle-maker identifiers, tokens and credentials',
  'Raw payloads of any provider',
  'Location, calendar and the vehicle’s name',
  'Doors, windows, locks and other live state that tells who is at home',
] as const;

/** The boundary that no scope, review or agreement moves. */
export function NeverShared() {
  return (
    <>
      <p className={classes.lead}>The service does not return these to anybody, whatever was granted:</p>
      <ul className={classes.never}>
        {never.map((item) => (
          <li key={item}>
            <IconX size={18} stroke={2} aria-hidden />
            <span>{item}</span>
          </li>
        ))}
      </ul>
      <p className={classes.lead}>
        Identifiers are random and belong to one integration: the same order has another one elsewhere. The standard licence is
        non-commercial.
      </p>
    </>
  );
}
