/** @import { ServiceRow } from '../services.js' */

/** Only a running one, as Debian has no package. @type {ServiceRow} */
export const mongo = {
  label: 'MongoDB',
  scheme: /^mongodb(\+srv)?:/,
  port: 27017,
  variables: ['MONGODB_URL', 'MONGODB_URI', 'MONGO_URL', 'MONGO_URI', 'DATABASE_URL'],
  address: 'mongodb://HOST:PORT/NAME',
  signs: {
    packages: /^(mongodb|mongoose|@nestjs\/mongoose|@typegoose\/typegoose|@fastify\/mongodb|monk)$/,
    otherManifests:
      /data-mongodb|mongodb\.org\/mongo-driver|pymongo|\bmotor\b|mongoengine|beanie|quarkus-mongodb|gem ['"]mongoid/,
    image: /mongo/,
    names: /MONGO/,
    dialect: /^mongodb$/,
  },
};
