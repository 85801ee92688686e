// A journey for k6: log in, then ask. BASE_URL is where the measured server listens.
import http from 'k6/http';
import { check } from 'k6';

export const options = { thresholds: { checks: ['rate>0.99'] } };

const json = { headers: { 'content-type': 'application/json' } };

export default function journey() {
  const login = http.post(`${__ENV.BASE_URL}/login`, JSON.stringify({ user: 'ada' }), json);
  check(login, { 'logged in': ({ status }) => status === 200 });
  const headers = { authorization: `Bearer ${login.json('token')}` };
  const orders = http.get(`${__ENV.BASE_URL}/orders`, { headers });
  check(orders, { 'has orders': ({ status }) => status === 200 });
}
