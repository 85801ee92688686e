from django.http import JsonResponse


def all_items(request):
    return JsonResponse({"items": [{"id": 1, "name": "shoe"}]})
