import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

/** Not middleware, which every other route of the application would pay for. */
export class CountingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<{ passed?: number }>();
    request.passed = (request.passed ?? 0) + 1;
    return next.handle();
  }
}
