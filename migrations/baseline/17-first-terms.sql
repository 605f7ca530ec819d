-- The first published Integration Terms. Administrators publish later versions.

insert into terms_version (version, title, markdown, published_at)
values (1, 'Integration Terms', $terms$# Integration Terms

These terms apply to every integration that receives data which users of the order-tracking service choose to share.

## 1. Licence

The standard licence is **non-commercial only**. Advertising, ad-network revenue, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing or resale, and any other direct or indirect monetization need an individual written agreement with the service. Sandbox access, review approval, owner activation, a production certificate or a user's consent do not replace that agreement.

You notify the service before your business model changes.

## 2. Attribution

- A conspicuous credit and app link, as supplied by the portal, stand wherever data from the service is shown, readable and close to the data.
- Where you mix sources, every record, entry, series, value, map point or result derived from the service is marked at its own output point. A footer or a page-wide credit is not enough.

## 3. Data

- You use shared data only for the purpose stated in your reviewed profile, with the smallest set of scopes that serves it.
- You never ask users for their login, account ID, real order number or VIN.
- A new field, scope or purpose needs a reviewed profile version and, where applicable, the user's renewed consent.

## 4. Deletion

When a user revokes access, it ends at once. You delete every individual and derived copy and acknowledge the deletion within seven days. An outstanding acknowledgement can suspend your production access.

## 5. Public linking page

Your linking page accepts the ten-digit code as a string, links to your privacy policy, terms and support contact, and keeps a linked personal order apart from aggregate statistics.

## 6. Changes

Each new version of these terms needs a new, explicit acceptance. An earlier acceptance is never carried forward.
$terms$, date_trunc('milliseconds', now()));
