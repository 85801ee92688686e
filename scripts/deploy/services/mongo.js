/** @import { ServiceRow } from '../services.js' */

/** Only a running one, as Debian has no package. @type {ServiceRow} */
export const mongo = {
  label: 'MongoDB',
  scheme: /^mongodb(\+srv)?:/,
  port: 27017,
  variables: ['MONGODB_URL', 'MONGODB_URI', 'MONGO_URL', 'MONGO_URI', 'DATABASE_URL'],
  address: 'mongodb://HOST:PORT/NAME',
  signs: {
    named: /mongo|typegoose|beanie|\b(monk|motor)\b/i,
    names: /MONGO/,
  },
};
