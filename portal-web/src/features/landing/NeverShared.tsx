import { IconX } from '@tabler/icons-react';
import classes from './landing.module.css';

const never = [
  'The vehicle identification number',
  'The real order number',
  'Account, contact and address data',
  'Financing and payment data',
  'Vehicle-maker identifiers, tokens and credentials',
  'Raw payloads from any provider',
  'Location, calendar and vehicle name',
  'Doors, windows, locks and other live state that could reveal whether somebody is home',
] as const;

/** What is never shared, whatever the scopes, the review or an agreement say. */
export function NeverShared() {
  return (
    <>
      <p className={classes.lead}>The service never returns any of this, whatever a user has shared:</p>
      <ul className={classes.never}>
        {never.map((item) => (
          <li key={item}>
            <IconX size={18} stroke={2} aria-hidden />
            <span>{item}</span>
          </li>
        ))}
      </ul>
      <p className={classes.lead}>
        Identifiers are random and specific to one integration: the same order has a different identifier elsewhere. The standard licence is
        non-commercial.
      </p>
    </>
  );
}
