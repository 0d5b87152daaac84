"""A language model as Zaremba, Sutskever and Vinyals (arXiv 1409.2329) train them, but smaller."""

from recurrent import language_model


def model():
    drops = [{"epoch": epoch, "factor": 0.3} for epoch in (3, 4, 5)]
    return language_model("lstm", 128, 20, 6, {"initial": 10.0, "drops": drops}, 0.25, 0.25, 0.1, "bible")
