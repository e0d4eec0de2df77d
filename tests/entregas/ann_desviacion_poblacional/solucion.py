def _medias_y_desviaciones(porFold):
    return tuple((float(np.mean(valores)), float(np.std(valores))) for valores in np.transpose(porFold))
